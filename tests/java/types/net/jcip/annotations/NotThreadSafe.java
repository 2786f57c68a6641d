package net.jcip.annotations;

public @interface NotThreadSafe {}
