# What CI runs.
ready:
    .ci/run

# The helper class, after a change of its sources.
helper:
    runtime-agent/java/compile.sh
