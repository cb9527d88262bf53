/**
 * Git, for everything in Holdfast that asks a repository something: broker, command line and rules.
 *
 * <p>{@link dev.holdfast.git.Git} finds a repository, {@link dev.holdfast.git.FoundRepository} is asked about commits and settings,
 * {@link dev.holdfast.git.ObjectStore} about content. A repository may be a stranger's: nothing that it configures is ever run.
 */
@NullMarked
package dev.holdfast.git;

import org.jspecify.annotations.NullMarked;
