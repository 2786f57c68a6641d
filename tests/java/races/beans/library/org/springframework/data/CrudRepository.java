package org.springframework.data;

public interface CrudRepository<T> {
    T save(T entity);
}
