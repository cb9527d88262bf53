package dev.holdfast.testing;

/** The class path of the running tests, which Surefire hides behind its own jar. */
public final class TestClassPath {
    private static final String WHOLE =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    private TestClassPath() {}

    public static String whole() {
        return WHOLE;
    }

    static String[] entries() {
        return WHOLE.split(System.getProperty("path.separator"));
    }
}
