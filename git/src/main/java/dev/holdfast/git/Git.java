package dev.holdfast.git;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The git on this machine. A repository may be a stranger's, so everything that its files and its configuration name is data,
 * and never run. To ensure this:
 *
 * <ol>
 *   <li>Git is run by its absolute path, without a shell, with known environment variables only ({@link GitEnvironment}) and with
 *       limits on time and output; it is killed together with everything it started ({@link GitRun}).
 *   <li>Only a few commands run in the repository itself ({@link LocalRepository}): those that look up commits and settings.
 *       None of them reads a file of the working tree, writes anything, or has a setting that names a program.
 *   <li>Everything about content happens in a git folder of our own ({@link ObjectStore}), which borrows the repository's
 *       objects and has none of its settings: no filter, merge driver or diff program is defined there, whatever
 *       {@code .gitattributes} says.
 *   <li>Git's own check of a repository's owner stays on, and a bare repository inside a working tree is not discovered
 *       automatically. Missing objects are not fetched.
 * </ol>
 *
 * The commands, and what each could otherwise have been made to run:
 *
 * <table>
 *   <caption>in the repository</caption>
 *   <tr><th>command</th><th>what a repository could do with it</th><th>why it does not</th></tr>
 *   <tr><td>rev-parse, rev-list, merge-base</td><td>fetch a missing object by a remote helper ({@code extensions.partialClone},
 *       {@code remote.*.url=ext::}, {@code protocol.ext.allow}, {@code core.sshCommand}, {@code credential.helper}); show other
 *       commits (replace refs, grafts)</td><td>{@code GIT_NO_LAZY_FETCH}, {@code GIT_ALLOW_PROTOCOL}; {@code
 *       GIT_NO_REPLACE_OBJECTS}, {@code GIT_GRAFT_FILE}</td></tr>
 *   <tr><td>config --get</td><td>include other files</td><td>one value is read, as text</td></tr>
 * </table>
 *
 * <table>
 *   <caption>in a git folder of our own</caption>
 *   <tr><th>command</th><th>what a repository could do with it</th><th>why it does not</th></tr>
 *   <tr><td>read-tree</td><td>{@code post-index-change} hook, {@code core.fsmonitor}</td><td>no hooks, no settings</td></tr>
 *   <tr><td>apply --cached --check</td><td>{@code filter.*.clean} and {@code .process} of files in the working tree, {@code
 *       core.fsmonitor}</td><td>the index alone is read; no settings</td></tr>
 *   <tr><td>diff --cached</td><td>{@code diff.external}, {@code diff.*.command}, {@code diff.*.textconv}, {@code core.pager},
 *       {@code core.fsmonitor}; submodules</td><td>no settings; an empty working tree; flags</td></tr>
 *   <tr><td>merge-tree --write-tree</td><td>{@code merge.*.driver}, {@code filter.*} with {@code merge.renormalize}</td><td>no
 *       settings; the new tree is written here, not there</td></tr>
 *   <tr><td>checkout-index of .gitattributes</td><td>{@code filter.*.smudge} and {@code .process}, hooks</td><td>no settings, no
 *       hooks; into a folder of our own</td></tr>
 *   <tr><td>log</td><td>{@code gpg.program} with {@code log.showSignature}, {@code core.pager}</td><td>no settings; flags</td></tr>
 *   <tr><td>cat-file, ls-files, hash-object --stdin</td><td>a textconv or filter, which only flags ask for</td><td>no such flag</td></tr>
 * </table>
 */
public final class Git {
    private final Map<String, String> environment;

    private Git(Map<String, String> environment) {
        this.environment = environment;
    }

    /** For ordinary use. Ignores what git passes to its hooks about a repository. */
    public static Git alone(Map<String, String> environment) {
        return new Git(GitEnvironment.of(environment, false));
    }

    /** For code that a git hook may run: uses the repository, index and objects that git names. */
    public static Git inHook(Map<String, String> environment) {
        return new Git(GitEnvironment.of(environment, true));
    }

    /**
     * The repository of a folder.
     *
     * @throws GitFailure when it is in none, or git refuses it
     */
    public LocalRepository find(Path folder, GitTimeout patience) {
        return LocalRepository.in(folder, this, patience);
    }

    Map<String, String> environment() {
        return environment;
    }

    GitResult run(Path folder, Map<String, String> variables, List<String> words, Limits limits) {
        List<String> command = new ArrayList<>(words.size() + 1);
        try {
            command.add(SearchPath.of(environment).program("git"));
        } catch (IOException e) {
            throw new GitFailure(
                    GitFailure.Kind.NO_GIT, e.getMessage() + "; install it, or add its folder to the PATH", e);
        }
        command.addAll(words);
        return new GitRun(command, folder, variables).within(limits);
    }
}
