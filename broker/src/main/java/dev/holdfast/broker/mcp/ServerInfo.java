package dev.holdfast.broker.mcp;

/** Identifies this program. */
record ServerInfo(String name, String title, String version) {
    static final ServerInfo HOLDFAST = new ServerInfo("holdfast", "Holdfast", released());

    private static String released() {
        String version = ServerInfo.class.getPackage().getImplementationVersion();
        return version == null ? "unreleased" : version;
    }
}
