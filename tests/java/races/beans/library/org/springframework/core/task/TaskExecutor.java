package org.springframework.core.task;

public interface TaskExecutor {
    void execute(Runnable task);
}
