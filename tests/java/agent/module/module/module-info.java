/** Requires nothing but java.base, exports nothing. */
module app {
}
