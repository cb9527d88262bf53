/**
 * Git, for everything in Holdfast that reads a repository: broker, command line and rules.
 *
 * <p>Use {@link dev.holdfast.git.Git} to find a repository, {@link dev.holdfast.git.LocalRepository} for commits and
 * settings, and {@link dev.holdfast.git.ObjectStore} for content. A repository may be a stranger's: nothing that it
 * configures is ever run.
 */
@NullMarked
package dev.holdfast.git;

import org.jspecify.annotations.NullMarked;
