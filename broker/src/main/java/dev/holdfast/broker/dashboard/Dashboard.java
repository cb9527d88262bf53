package dev.holdfast.broker.dashboard;

import dev.holdfast.broker.api.ApiServer;
import dev.holdfast.broker.api.Origins;
import dev.holdfast.broker.api.Replies;
import dev.holdfast.broker.auth.Callers;
import dev.holdfast.broker.auth.MemoryShares;
import dev.holdfast.broker.auth.SignIn;
import dev.holdfast.broker.dashboard.agents.AgentsPage;
import dev.holdfast.broker.dashboard.events.EventsPage;
import dev.holdfast.broker.dashboard.find.Completions;
import dev.holdfast.broker.dashboard.find.Finder;
import dev.holdfast.broker.dashboard.overview.OverviewPage;
import dev.holdfast.broker.dashboard.page.Access;
import dev.holdfast.broker.dashboard.page.MissingException;
import dev.holdfast.broker.dashboard.page.Person;
import dev.holdfast.broker.dashboard.page.Section;
import dev.holdfast.broker.dashboard.page.Sheet;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.page.Visit;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.broker.dashboard.pool.PoolPage;
import dev.holdfast.broker.dashboard.review.ReviewLines;
import dev.holdfast.broker.dashboard.review.ReviewMarks;
import dev.holdfast.broker.dashboard.review.ReviewPage;
import dev.holdfast.broker.dashboard.reviews.BulkAction;
import dev.holdfast.broker.dashboard.reviews.ReviewsPage;
import dev.holdfast.broker.dashboard.settings.SettingsPage;
import dev.holdfast.broker.dashboard.tasks.TaskPage;
import dev.holdfast.broker.dashboard.tasks.TasksPage;
import dev.holdfast.broker.dashboard.work.ItemPage;
import dev.holdfast.broker.dashboard.work.WorkPage;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.metrics.Meters.Endpoint;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.Kind;
import dev.holdfast.store.StoreException;
import dev.holdfast.token.PageSessions;
import dev.holdfast.token.SubmittedForms;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * The pages at the broker's address. Each reads what it shows from the core and names the template that shows it; this
 * class renders it inside the common frame, serves its assets, keeps it fresh and carries out its actions.
 */
public final class Dashboard implements ApiServer.Endpoints, AutoCloseable {
    private static final String POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private final Sources sources;
    private final Callers callers;
    private final ReviewPage review;
    private final ReviewMarks marks;
    private final People people;
    private final ReviewLines lines;
    private final BulkAction matching;
    private final Finder finder;
    private final Completions completions;
    private final LegacyAddresses predecessor;
    private final Actions actions;
    private final LiveStream live;
    private final SidebarCounts numbers;
    private final PageSessions sessions;
    private final SignInPages entrance;
    private final Meters meters;
    private final InstantSource clock;
    private final Secret secret = new Secret();
    private final Templates templates = new Templates();

    public Dashboard(
            Sources sources,
            List<Verb> verbs,
            Callers callers,
            Origins origins,
            PageSessions sessions,
            Meters meters,
            InstantSource clock) {
        this.sessions = sessions;
        entrance = new SignInPages(templates, sessions);
        this.sources = sources;
        this.callers = callers;
        this.meters = meters;
        this.clock = clock;
        people = new People(callers, origins);
        actions = new Actions(verbs, callers, origins, people, secret, new SubmittedForms(sources.store(), clock));
        live = new LiveStream(sources.claims().tail(), this::mayContinue);
        numbers = new SidebarCounts(sources, System::nanoTime, clock);
        review = new ReviewPage(sources);
        marks = new ReviewMarks(sources);
        lines = new ReviewLines(sources);
        matching = new BulkAction(sources);
        finder = new Finder(sources);
        completions = new Completions(sources);
        predecessor = new LegacyAddresses(sources, verbs, callers, origins, clock.instant());
    }

    @Override
    public void register(RoutesConfig routes) {
        page(routes, "/", Section.OVERVIEW, new OverviewPage(sources)::show);
        page(routes, "/reviews", Section.REVIEWS, new ReviewsPage(sources)::show);
        page(routes, "/reviews/{id}", Section.REVIEWS, review::show);
        page(routes, "/work", Section.WORK, new WorkPage(sources)::show);
        page(routes, "/work/{id}", Section.WORK, new ItemPage(sources)::show);
        page(routes, "/tasks", Section.TASKS, new TasksPage(sources)::show);
        page(routes, "/tasks/{id}", Section.TASKS, new TaskPage(sources)::show);
        page(routes, "/pool", Section.POOL, new PoolPage(sources)::show);
        page(routes, "/agents", Section.AGENTS, new AgentsPage(sources)::show);
        page(routes, "/events", Section.EVENTS, new EventsPage(sources)::show);
        page(routes, "/settings", Section.SETTINGS, new SettingsPage(sources)::show);
        predecessor.register(routes, this::guarded);
        routes.get(Assets.PATH + "<file>", guarded(Assets::serve));
        routes.get("/ui/live", request -> {
            mayRead(request);
            live.serve(request);
        });
        routes.get(SignIn.PATH, guarded(entrance::show));
        routes.post(SignIn.PATH, guarded(entrance::enter));
        routes.post(SignIn.LINK, guarded(entrance::link));
        routes.post(SignIn.LEAVE, guarded(entrance::leave));
        routes.get("/ui/find", guarded(request -> part(finder::show, request)));
        routes.get("/ui/known", guarded(request -> part(completions::show, request)));
        routes.get("/ui/matching/reviews", guarded(request -> {
            Answer answer = matching.count(visit(request));
            Replies.send(request, answer.status(), answer);
        }));
        routes.post(
                "/ui/matching/reviews", guarded(actions.own((request, person, _) -> actOnMatching(request, person))));
        routes.post("/ui/do/{verb}", guarded(actions::act));
        routes.post("/ui/person", guarded(actions::name));
        routes.get("/reviews/{id}/files/{number}", guarded(request -> part(review::file, request)));
        routes.get("/reviews/{id}/lines", guarded(request -> part(lines::show, request)));
        routes.post("/reviews/{id}/read", guarded(actions.own(marks::read)));
        routes.post("/reviews/{id}/draft", guarded(actions.own(marks::draft)));
    }

    /** @param section the entry of the sidebar that the page belongs to */
    private void page(RoutesConfig routes, String path, Section section, Function<Visit, Sheet> page) {
        routes.get(path, guarded(request -> show(section, page, request)));
    }

    private Handler guarded(Handler handler) {
        return request -> {
            long start = System.nanoTime();
            guard(request);
            if (!request.path().startsWith(Assets.PATH)) {
                MemoryShares.of(request.req()).takeAnswer();
            }
            try {
                handler.handle(request);
            } finally {
                meters.answered(Endpoint.DASHBOARD, System.nanoTime() - start);
            }
        };
    }

    private static void guard(Context request) {
        request.bodyAsBytes(); // refusing a half-read request would close a connection that other calls share
        request.header("Content-Security-Policy", POLICY);
        request.header("X-Content-Type-Options", "nosniff");
        request.header("Referrer-Policy", "same-origin");
        request.header("Cross-Origin-Opener-Policy", "same-origin");
        request.header("Cross-Origin-Resource-Policy", "same-origin");
    }

    /** Whether a person is asking for a whole page; fragments are fetched by scripts. */
    private static boolean wantsPage(Context request) {
        String accepted = request.header("Accept");
        return request.method().equals(HandlerType.GET)
                && accepted != null
                && accepted.contains("text/html")
                && request.header("HX-Request") == null
                && !SignIn.isForPrograms(request.path());
    }

    @Override
    public boolean showsTrouble(Context request, Answer answer) {
        if (!wantsPage(request)) {
            return false;
        }
        guard(request);
        entrance.trouble(request, answer);
        return true;
    }

    @Override
    public boolean showsMissing(Context request) {
        if (!wantsPage(request)) {
            return false;
        }
        guard(request);
        request.status(404);
        show(Section.OVERVIEW, _ -> missing("There is no page at " + request.path() + "."), request);
        return true;
    }

    private static Sheet missing(String message) {
        return Sheet.of("missing", "Not found", message);
    }

    private void show(Section section, Function<Visit, Sheet> page, Context request) {
        long fresh = sources.claims().tail().latest(); // before anything else is read: later events are sent again
        Visit visit = visit(request);
        Sheet sheet;
        try {
            sheet = page.apply(visit);
        } catch (MissingException e) {
            request.status(404);
            sheet = missing(String.valueOf(e.getMessage()));
        }
        SidebarCounts.Counted counted = numbers.now(fresh);
        Shell shell = new Shell(
                section,
                sheet,
                visit.person(),
                Access.of(request),
                secret.of(request),
                counted.bySection(),
                counted.calling() + mine(visit),
                numbers.about(),
                fresh,
                new When.Now(visit.now()));
        send(request, sheet, Map.of("shell", shell, "view", sheet.view()));
    }

    private Answer actOnMatching(Context request, Person person) {
        String verb = String.valueOf(request.formParam("verb"));
        String after = request.formParam("after");
        return matching.act(
                visit(request),
                verb,
                after == null || after.isEmpty() ? null : after,
                id -> actions.call(
                        verb,
                        request,
                        person,
                        name -> name.equals("review_id") ? List.of(id) : request.formParams(name)));
    }

    /**
     * The guard in front of every door checks this too; with the check here, nobody who adds a page or a door can
     * forget it.
     */
    private void mayRead(Context request) {
        callers.mayReadAll(request.header("Authorization"));
    }

    /** Whether a live stream may continue: until its token ends or its browser signs out. */
    private BooleanSupplier mayContinue(Context request) {
        String authorization = request.header("Authorization");
        Optional<String> session = SignIn.kept(request).filter(this::isSignedIn);
        return () -> callers.mayContinue(authorization) && session.stream().allMatch(this::isSignedIn);
    }

    private boolean isSignedIn(String session) {
        try {
            return sessions.tokenHash(session).isPresent();
        } catch (StoreException _) {
            return true; // it was signed in when the request came
        }
    }

    private Visit visit(Context request) {
        mayRead(request);
        return new Visit(request, people.of(request), () -> people.caller(request), clock.instant());
    }

    /** A fragment that an open page asks for later, without the common frame. */
    private void part(Function<Visit, Sheet> part, Context request) {
        try {
            Sheet sheet = part.apply(visit(request));
            send(request, sheet, Map.of("view", sheet.view()));
        } catch (MissingException e) {
            request.status(404).contentType("text/plain; charset=utf-8").result(String.valueOf(e.getMessage()));
        }
    }

    private void send(Context request, Sheet sheet, Map<String, Object> given) {
        request.header("Cache-Control", "no-store");
        request.contentType("text/html; charset=utf-8");
        request.result(templates.render(sheet.template(), given));
    }

    /** How many reviews the visitor has claimed and not judged. */
    private int mine(Visit visit) {
        return visit.person() == null
                ? 0
                : sources.claims().held(Kind.REVIEW, visit.name(), null).size();
    }

    /** Call this before the door closes, so that open pages are asked to reconnect. */
    @Override
    public void close() {
        live.close();
    }
}
