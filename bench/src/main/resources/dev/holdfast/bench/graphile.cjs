// graphile-worker on an empty job: fills its queue, warms up, counts what it does in the measured time.
// With oneByOne, adds a job whenever the last is done, and tells how long it took until it began.
// Arguments name=value: url, jobs, concurrency, localQueue?, completeBatchDelay?, oneByOne?, warm and measured in ms.
// Prints one line: {"value": jobs per second, or microseconds, "details": {...}, "violations": [...]}.
'use strict';
const { Logger, run, runMigrations } = require('graphile-worker');
const { Client } = require('pg');
const { setTimeout: sleep } = require('node:timers/promises');

const given = Object.fromEntries(process.argv.slice(2).map((argument) => {
  const at = argument.indexOf('=');
  return [argument.slice(0, at), argument.slice(at + 1)];
}));
const jobs = Number(given.jobs);
const logger = new Logger(() => () => {});
const JOBS = 'graphile_worker._private_jobs';

async function fill(client) {
  const atOnce = 50_000;
  for (let made = 0; made < jobs; made += atOnce) {
    await client.query(
      `SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
         SELECT ROW ('unit', json_build_object('n', i), NULL, NULL, NULL, NULL, NULL, NULL)::graphile_worker.job_spec
         FROM generate_series(1, $1::int) AS i))`,
      [Math.min(atOnce, jobs - made)],
    );
  }
  await client.query(`VACUUM ANALYZE ${JOBS}`);
  await client.query('CHECKPOINT');
}

async function commits(client) {
  const { rows } = await client.query('SELECT xact_commit::int AS n FROM pg_stat_database WHERE datname = current_database()');
  return rows[0].n;
}

async function oneByOne() {
  await runMigrations({ connectionString: given.url, logger });
  let begun = () => {};
  const runner = await run({
    preset: { worker: { connectionString: given.url, logger, concurrentJobs: Number(given.concurrency) } },
    taskList: { unit: async () => begun(performance.now()) },
  });
  const times = [];
  const start = performance.now();
  const warm = Number(given.warm);
  while (performance.now() - start < warm + Number(given.measured)) {
    const held = new Promise((resolve) => { begun = resolve; });
    const before = performance.now();
    await runner.addJob('unit', {});
    const at = await held;
    if (before - start > warm) times.push(at - before);
    await sleep(5); // so that it is idle again, as ours is
  }
  await runner.stop();
  times.sort((a, b) => a - b);
  console.log(JSON.stringify({ value: times[times.length >> 1] * 1000, details: { jobs: times.length }, violations: [] }));
}

async function main() {
  if (given.oneByOne) return oneByOne();
  const client = new Client({ connectionString: given.url });
  await client.connect();
  await runMigrations({ connectionString: given.url, logger });
  await fill(client);
  const committed = await commits(client);

  const worker = {
    connectionString: given.url,
    logger,
    concurrentJobs: Number(given.concurrency),
    maxPoolSize: Number(given.concurrency) + 2,
  };
  if (given.localQueue) worker.localQueue = { size: Number(given.localQueue) };
  if (given.completeBatchDelay) {
    worker.completeJobBatchDelay = Number(given.completeBatchDelay);
    worker.failJobBatchDelay = Number(given.completeBatchDelay);
  }
  let done = 0;
  const runner = await run({ preset: { worker }, taskList: { unit: async () => { done += 1; } } });
  await sleep(Number(given.warm));
  const before = done;
  const start = performance.now();
  await sleep(Number(given.measured));
  const units = done - before;
  const seconds = (performance.now() - start) / 1000;
  if (done >= jobs) throw new Error('all jobs were done before the time was over; give it more');
  await runner.stop();

  const { rows } = await client.query(`SELECT count(*)::int AS n FROM ${JOBS}`);
  // started again or stopped in between: told, but the guards are ours to keep
  const details = { units: done, 'done but still there': rows[0].n - (jobs - done), 'transactions per unit': ((await commits(client)) - committed) / done };
  console.log(JSON.stringify({ value: units / seconds, details, violations: [] }));
  await client.end();
}

main().then(() => process.exit(0), (error) => {
  console.error(error);
  process.exit(1);
});
