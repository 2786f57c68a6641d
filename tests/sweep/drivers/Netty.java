import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;

/** Clients send a thousand bytes each to a server on the loopback address, which sends them back. */
public final class Netty {
    private static final int CLIENTS = 8;
    private static final int BYTES = 1000;

    public static void main(String[] args) throws Exception {
        EventLoopGroup servers = new NioEventLoopGroup(2);
        EventLoopGroup clients = new NioEventLoopGroup(2);
        Channel server =
                new ServerBootstrap()
                        .group(servers)
                        .channel(NioServerSocketChannel.class)
                        .childHandler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel channel) {
                                        channel.pipeline().addLast(new Echo());
                                    }
                                })
                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .sync()
                        .channel();
        CountDownLatch left = new CountDownLatch(CLIENTS);
        for (int i = 0; i < CLIENTS; i++) {
            new Bootstrap()
                    .group(clients)
                    .channel(NioSocketChannel.class)
                    .handler(new Client(left))
                    .connect(server.localAddress())
                    .sync();
        }
        left.await();
        System.out.println(CLIENTS + " clients served");
        servers.shutdownGracefully(0, 1, java.util.concurrent.TimeUnit.SECONDS).sync();
        clients.shutdownGracefully(0, 1, java.util.concurrent.TimeUnit.SECONDS).sync();
    }

    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message);
        }
    }

    private static final class Client extends SimpleChannelInboundHandler<ByteBuf> {
        private final CountDownLatch left;
        private int received;

        Client(CountDownLatch left) {
            this.left = left;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            context.writeAndFlush(Unpooled.wrappedBuffer(new byte[BYTES]));
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
            received += message.readableBytes();
            if (received == BYTES) {
                context.close();
                left.countDown();
            }
        }
    }
}
