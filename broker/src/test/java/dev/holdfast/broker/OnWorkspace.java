package dev.holdfast.broker;

import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestRepository;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Each test has a broker of its own, whose workspace is a repository: diffs are held against what is committed there. */
public abstract class OnWorkspace extends OnBroker {
    @TempDir
    protected Path workspace;

    @Override
    protected Settings settings() {
        return new Settings().put(Setting.WORKSPACE, workspace.toString());
    }

    /** The file x, with this in it. */
    protected final void commit(String content) {
        TestRepository repository = TestRepository.in(workspace);
        repository.write("x", content);
        repository.commitAll("x");
    }
}
