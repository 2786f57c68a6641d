package org.springframework.web.bind.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

@org.springframework.stereotype.Component
@Retention(RetentionPolicy.RUNTIME)
public @interface RestController {}
