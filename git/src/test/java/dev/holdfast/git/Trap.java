package dev.holdfast.git;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A way in which a repository can make git run a program. Each is planted as a stranger would, and can be sprung by a plain git
 * command, which shows that it works: then the program leaves a file in the folder of marks.
 *
 * <p>All of them hold for the file {@value TrappedRepository#FILE}, whose attributes name {@code trap} as filter, diff driver and merge
 * driver.
 */
public enum Trap {
    CLEAN_FILTER("git diff") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.config("filter.trap.clean", run(repository) + "; cat");
        }
    },
    PROCESS_FILTER("git diff") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.config("filter.trap.process", run(repository));
        }
    },
    SMUDGE_FILTER("git checkout-index --force trap.txt") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.config("filter.trap.smudge", run(repository) + "; cat");
        }
    },
    FILTER_OF_AN_INCLUDED_FILE("git diff") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            Path included = repository.write(
                    "included.config", "[filter \"trap\"]\n\tclean = \"" + run(repository) + "; cat\"\n");
            repository.config("include.path", included.toString());
        }
    },
    FILTER_OF_A_FILE_INCLUDED_HERE_ONLY("git diff") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            Path included = repository.write(
                    "included-here.config", "[filter \"trap\"]\n\tclean = \"" + run(repository) + "; cat\"\n");
            repository.config("includeIf.gitdir:/.path", included.toString());
        }
    },
    FILTER_BY_A_FILE_OF_ATTRIBUTES("git add other.txt") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            Path attributes = repository.write("more.attributes", "other.txt filter=other\n");
            repository.config("core.attributesFile", attributes.toString());
            repository.config("filter.other.clean", run(repository) + "; cat");
        }
    },
    FILTER_BY_ATTRIBUTES_IN_THE_GIT_FOLDER("git add other.txt") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.write(".git/info/attributes", "other.txt filter=more\n");
            repository.config("filter.more.clean", run(repository) + "; cat");
        }
    },
    FILTER_IN_A_WORKING_TREE_ELSEWHERE("git diff", true) {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            Path elsewhere = Files.createDirectories(repository.folder().resolveSibling("elsewhere"));
            Files.writeString(elsewhere.resolve(".gitattributes"), "* filter=trap\n");
            Files.writeString(elsewhere.resolve(TrappedRepository.FILE), "other\n");
            repository.config("core.worktree", elsewhere.toString());
            repository.config("filter.trap.clean", run(repository) + "; cat");
        }
    },
    TEXTCONV("git diff --cached") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.config("diff.trap.textconv", run(repository) + "; cat");
        }
    },
    DIFF_DRIVER("git diff --cached") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.config("diff.trap.command", run(repository) + "; cat");
        }
    },
    EXTERNAL_DIFF("git diff --cached") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.config("diff.external", run(repository) + "; cat");
        }
    },
    MERGE_DRIVER("git merge-tree --write-tree main side") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.config("merge.trap.driver", run(repository) + "; false");
        }
    },
    FSMONITOR("git status") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.config("core.fsmonitor", run(repository) + "; false");
        }
    },
    HOOKS("GIT_INDEX_FILE=.git/another git read-tree HEAD") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            for (String hook : HOOK_NAMES) {
                program(repository, ".git/hooks/" + hook);
            }
        }
    },
    HOOKS_IN_A_FOLDER_OF_THEIR_OWN("GIT_INDEX_FILE=.git/another git read-tree HEAD", true) {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            for (String hook : HOOK_NAMES) {
                program(repository, "hooks/" + hook);
            }
            repository.config("core.hooksPath", "hooks");
        }
    },
    PAGER("script -qec 'git log -1' /dev/null") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.config("core.pager", run(repository) + "; cat");
        }
    },
    PAGER_OF_A_COMMAND("script -qec 'git rev-list HEAD' /dev/null") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            for (String command : new String[] {"rev-list", "rev-parse", "diff", "log", "apply", "config"}) {
                repository.config("pager." + command, run(repository) + "; cat");
            }
        }
    },
    EDITOR("git commit --amend") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.config("core.editor", run(repository) + "; true");
        }
    },
    SIGNATURE("git log -1") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.signHead();
            repository.config(
                    "gpg.program", program(repository, "signature-checker").toString());
            repository.config("log.showSignature", "true");
        }
    },
    CREDENTIAL_HELPER("printf 'protocol=https\\nhost=x\\n' | git credential fill") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.config("credential.helper", "!" + run(repository) + ";");
        }
    },
    ASK_PASS("printf 'protocol=https\\nhost=x\\n' | git credential fill") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.config("core.askPass", program(repository, "ask-pass").toString());
        }
    },
    ALIAS("git trap") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            for (String name : new String[] {"trap", "rev-parse", "diff", "apply", "merge-tree", "read-tree"}) {
                repository.config("alias." + name, "!" + run(repository));
            }
        }
    },
    ALTERNATE_REFS("git rev-list --alternate-refs HEAD") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.copyObjects("alternate");
            repository.config("core.alternateRefsCommand", run(repository) + ";");
        }
    },
    SUBMODULE("git diff --cached") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.config("diff.submodule", "diff");
            repository.config("submodule.recurse", "true");
            repository.configOf(repository.module(), "diff.external", run(repository) + "; cat");
            repository.configOf(repository.module(), "core.fsmonitor", run(repository) + "; false");
        }
    },
    MISSING_OBJECT_BY_ANY_PROGRAM(TrappedRepository.READ_MISSING, true) {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.missObject("ext::" + run(repository));
            repository.config("protocol.ext.allow", "always");
        }
    },
    MISSING_OBJECT_BY_ANOTHER_ADDRESS(TrappedRepository.READ_MISSING, true) {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.missObject("https://example.org/x");
            repository.config("url.ext::" + program(repository, "fetcher") + " .insteadOf", "https://example.org/");
            repository.config("protocol.ext.allow", "always");
        }
    },
    MISSING_OBJECT_BY_SSH(TrappedRepository.READ_MISSING, true) {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.missObject("ssh://example.org/x");
            repository.config("core.sshCommand", run(repository) + ";");
        }
    },
    MISSING_OBJECT_BY_PROXY(TrappedRepository.READ_MISSING, true) {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.missObject("git://example.org/x");
            repository.config("core.gitProxy", program(repository, "proxy").toString());
        }
    },
    MISSING_OBJECT_BY_UPLOAD_PACK(TrappedRepository.READ_MISSING, true) {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.missObject(repository.folder().toString());
            repository.config("remote.origin.uploadpack", run(repository) + ";");
        }
    },
    GIT_FILE("git -C vendor status") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.copyGitFolder("vendor/planted");
            repository.write("vendor/.git", "gitdir: planted\n");
            repository.configOf(repository.folder().resolve("vendor"), "core.fsmonitor", run(repository) + "; false");
        }
    },
    BARE_REPOSITORY("git -C docs status") {
        @Override
        void plant(TrappedRepository repository) throws Exception {
            repository.copyGitFolder("docs");
            Path bare = repository.folder().resolve("docs");
            repository.configOf(bare, "core.bare", "false");
            repository.configOf(bare, "core.worktree", repository.folder().toString());
            repository.configOf(bare, "core.fsmonitor", run(repository) + "; false");
        }
    };

    private static final String[] HOOK_NAMES = {
        "post-index-change",
        "reference-transaction",
        "pre-auto-gc",
        "post-checkout",
        "pre-applypatch",
        "applypatch-msg",
    };

    private final String springs;
    private final boolean alone;

    Trap(String springs) {
        this(springs, false);
    }

    /** @param alone whether it would stand in the way of the others */
    Trap(String springs, boolean alone) {
        this.springs = springs;
        this.alone = alone;
    }

    /** Puts it in place. */
    abstract void plant(TrappedRepository repository) throws Exception;

    /** Whether a repository with this one cannot have all the others as well. */
    public boolean isAlone() {
        return alone;
    }

    /** What a user types, in a shell, to run into it. */
    public String springs() {
        return springs;
    }

    /** A shell command that leaves the mark. */
    String run(TrappedRepository repository) {
        return "touch " + repository.mark(this);
    }

    /** A program that leaves the mark. */
    Path program(TrappedRepository repository, String file) throws Exception {
        Path program = repository.write(file, "#!/bin/sh\n" + run(repository) + "\n");
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
