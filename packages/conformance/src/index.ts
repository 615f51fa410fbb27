/**
 * Checks servers and clients of the protocol `world/0.1` from outside. The kit depends only on the specification, not on
 * an implementation: it sends raw HTTP and uses literal expectations.
 */
export { isInOrder, type Judged, judge, parseBaseline, type Summary, summarise } from './check/baseline.ts'
export type { CheckResult, Outcome, Profile, Recorded, RecordedRun } from './check/check.ts'
export { type ClientOptions, checkClient } from './check-client.ts'
export { checkServer, type ServerOptions } from './check-server.ts'
export type { ClientFunction, ClientOutput } from './client/runner.ts'
export { type CheckExitCode, type CheckIo, check } from './command.ts'
export { type CheckListing, listClientChecks, listServerChecks } from './listing.ts'
export { jsonReporter } from './report/json-report.ts'
export { junitReporter } from './report/junit-report.ts'
export { reportFiles } from './report/report-files.ts'
export type { Reporter, Subject } from './report/reporter.ts'
export { textReporter } from './report/text-report.ts'
export type { WorldFacts } from './server/facts.ts'
export { parseNames, readProfile } from './server/given-names.ts'
