package net.jcip.annotations;

public @interface GuardedBy { String value(); }
