package dev.holdfast.broker.mcp;

/** There is no such resource; the error code depends on the {@link ProtocolGeneration}. */
final class ResourceNotFoundException extends RuntimeException {
    private final String uri;

    ResourceNotFoundException(String uri, String why) {
        super("no resource " + RpcException.shortened(uri) + ": " + why, null, false, false);
        this.uri = uri;
    }

    String uri() {
        return uri;
    }
}
