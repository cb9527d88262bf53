package dev.holdfast.cli;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** A repository for each test, and one broker for all of them. */
abstract class OnASample extends OnABroker {
    /** How many were made so far: a number that no other test of the class has. */
    int repositories;

    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // each test makes its own first
    SampleRepository sample;

    OnASample(Path data) {
        super(data);
    }

    /** Makes the sample: its name, which is its project's too, is no other test's. */
    void make(String name) throws Exception {
        repositories++;
        sample = SampleRepository.make(folder, name + " " + repositories, broker.url());
    }

    /** Makes the sample with an empty remote named origin; returns the remote's folder. */
    Path makeWithRemote(String name) throws Exception {
        make(name);
        Path remote = folder.resolve("remote " + repositories + ".git");
        sample.git("init", "-q", "--bare", "-b", "main", remote.toString());
        sample.git("remote", "add", "origin", remote.toString());
        return remote;
    }
}
