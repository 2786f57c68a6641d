package org.springframework.web.servlet;

public interface HandlerInterceptor {
    void afterPropertiesSet();

    void afterCompletion(String request);
}
