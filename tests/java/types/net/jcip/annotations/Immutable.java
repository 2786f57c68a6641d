package net.jcip.annotations;

public @interface Immutable {}
