package dev.holdfast.cli;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.call.CallCommand;
import dev.holdfast.cli.claim.HeartbeatCommand;
import dev.holdfast.cli.claim.ReleaseCommand;
import dev.holdfast.cli.claim.WhoCommand;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.CommandList;
import dev.holdfast.cli.demo.DemoCommand;
import dev.holdfast.cli.event.EventsCommand;
import dev.holdfast.cli.gate.GateCommand;
import dev.holdfast.cli.hooks.HooksCommands;
import dev.holdfast.cli.imports.BeadsCommands;
import dev.holdfast.cli.imports.ImportCommand;
import dev.holdfast.cli.init.InitCommand;
import dev.holdfast.cli.mcp.McpCommand;
import dev.holdfast.cli.pool.PoolCommands;
import dev.holdfast.cli.pool.PoolLogs;
import dev.holdfast.cli.pool.PoolStatus;
import dev.holdfast.cli.review.DiscussionCommands;
import dev.holdfast.cli.review.ProposerCommands;
import dev.holdfast.cli.review.ReviewLists;
import dev.holdfast.cli.review.ReviewShow;
import dev.holdfast.cli.review.ReviewWait;
import dev.holdfast.cli.review.ReviewerCommands;
import dev.holdfast.cli.server.LauncherCommands;
import dev.holdfast.cli.server.LogsCommand;
import dev.holdfast.cli.server.OpenCommand;
import dev.holdfast.cli.server.StatusCommand;
import dev.holdfast.cli.server.StopCommand;
import dev.holdfast.cli.session.SessionCommands;
import dev.holdfast.cli.session.TokenCommand;
import dev.holdfast.cli.session.TokenCommands;
import dev.holdfast.cli.task.StepCommands;
import dev.holdfast.cli.task.TaskCommands;
import dev.holdfast.cli.task.TaskGraph;
import dev.holdfast.cli.task.TaskWatch;
import dev.holdfast.cli.work.ClaimCommand;
import dev.holdfast.cli.work.ItemCommands;
import dev.holdfast.cli.work.PathCommands;
import dev.holdfast.cli.work.WorkLists;
import dev.holdfast.cli.work.WorkerCommands;
import java.util.List;
import java.util.Map;

/** All commands, in the order in which help lists them. */
public final class Commands {
    static final List<Command> ALL = List.of(
            DemoCommand.DEFINITION,
            InitCommand.DEFINITION,
            LauncherCommands.SERVE,
            StatusCommand.DEFINITION,
            OpenCommand.DEFINITION,
            StopCommand.DEFINITION,
            LogsCommand.DEFINITION,
            ClaimCommand.DEFINITION,
            HeartbeatCommand.DEFINITION,
            ReleaseCommand.DEFINITION,
            WhoCommand.DEFINITION,
            EventsCommand.DEFINITION,
            SessionCommands.START,
            SessionCommands.END,
            SessionCommands.LIST,
            WorkLists.READY,
            WorkerCommands.CLAIM,
            HeartbeatCommand.DEFINITION.as("work heartbeat"),
            ReleaseCommand.DEFINITION.as("work release"),
            WorkerCommands.CLOSE,
            WhoCommand.DEFINITION.as("work who"),
            ItemCommands.CREATE,
            ItemCommands.UPDATE,
            ItemCommands.DEP,
            WorkLists.SHOW,
            WorkLists.LIST,
            WorkLists.BLOCKED,
            PathCommands.RESERVE,
            PathCommands.CHECK,
            ProposerCommands.CREATE,
            ReviewLists.LIST,
            ReviewShow.DEFINITION,
            ReviewWait.DEFINITION,
            ReviewerCommands.NEXT,
            ReviewerCommands.CLAIM,
            ReviewerCommands.VERDICT,
            ReviewerCommands.RELEASE,
            DiscussionCommands.MESSAGE,
            DiscussionCommands.DISCUSSION,
            ProposerCommands.ACCEPT,
            ProposerCommands.REJECT,
            ProposerCommands.CLOSE,
            ProposerCommands.WITHDRAW,
            DiscussionCommands.TIMELINE,
            ReviewLists.FEED,
            DiscussionCommands.AUDIT,
            ReviewLists.STATS,
            GateCommand.DEFINITION,
            LauncherCommands.RULES,
            HooksCommands.INSTALL,
            HooksCommands.CHECK,
            HooksCommands.UNINSTALL,
            PoolStatus.DEFINITION,
            PoolLogs.DEFINITION,
            PoolCommands.SPAWN,
            PoolCommands.DRAIN,
            PoolCommands.KILL,
            TaskCommands.CREATE,
            TaskCommands.LIST,
            TaskCommands.SHOW,
            TaskWatch.DEFINITION,
            TaskGraph.DEFINITION,
            TaskCommands.CANCEL,
            StepCommands.NEXT,
            StepCommands.COMPLETE,
            StepCommands.FAIL,
            CallCommand.DEFINITION,
            McpCommand.DEFINITION,
            TokenCommands.CREATE,
            TokenCommands.LIST,
            TokenCommands.ROTATE,
            TokenCommands.REVOKE,
            TokenCommand.SHOW,
            LauncherCommands.CONFIG,
            LauncherCommands.CONFIG_SETTINGS,
            LauncherCommands.CONFIG_SCHEMA,
            LauncherCommands.TRUST,
            LauncherCommands.DOCTOR,
            LauncherCommands.BACKUP,
            LauncherCommands.RESTORE,
            BeadsCommands.IMPORT,
            ImportCommand.DEFINITION,
            BeadsCommands.EXPORT,
            HelpCommand.DEFINITION,
            CompletionCommand.DEFINITION,
            LauncherCommands.TEST,
            LauncherCommands.BENCH);

    private static final Map<String, String> GROUPS = Map.of(
            "config", "Show the broker's settings and where they come from.",
            "pool", "Manage the broker's reviewer processes.",
            "session", "Register, end and list agent sessions.",
            "token", "Manage tokens: who may call the broker from other machines, and in which roles.",
            "task", "Multi-step tasks: create, run, watch, graph, cancel.",
            "work", "A shared backlog: create, claim, close and list work items.",
            "hooks", "Install, check and remove hooks for git and coding agents.",
            "review", "Propose, review and discuss changes.",
            "import", "Import data from another tool.",
            "export", "Export data for another tool.");

    static final CommandList CATALOGUE = new CommandList(ALL, GROUPS, footer());

    private Commands() {}

    private static String footer() {
        StringBuilder footer = new StringBuilder("""

            First steps:
              holdfast demo                       the whole loop, narrated
              holdfast init                       set up your repository
              holdfast serve                      a broker in one terminal
              export HOLDFAST_AGENT=alice         in another: your agent name
              holdfast claim key:deploy --ttl 10m
              holdfast who
              holdfast release key:deploy

            Environment:
              HOLDFAST_AGENT       your agent name, unless --holder is given
              HOLDFAST_URL         the broker's address (http://127.0.0.1:8321)
              HOLDFAST_TOKEN       token, for brokers that require one
              HOLDFAST_TOKEN_FILE  a private file that contains the token
              HOLDFAST_CA          PEM file with the certificate to trust for https

            Exit codes:
            """);
        for (ExitCode exitCode : ExitCode.values()) {
            footer.append("  ")
                    .append(exitCode.number())
                    .append("  ")
                    .append(exitCode.meaning())
                    .append('\n');
        }
        return footer.toString();
    }
}
