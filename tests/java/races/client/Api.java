package client;

public interface Api {
    void hit();

    void both();
}
