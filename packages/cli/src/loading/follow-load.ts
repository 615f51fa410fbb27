/** Showing what a load says: progress while it runs, and in the end what it came to. */
import {
  type ColumnFault,
  type ImportResult,
  type LoadEvent,
  type Rejection,
  resultOf,
  SourceFault,
} from '@worldwright/server/publish'
import { createWarningTally, reportLines } from '../terminal/import-report.ts'
import type { Io } from '../terminal/io.ts'
import { say } from '../terminal/output.ts'
import { createProgress, type ProgressDisplay } from '../terminal/progress.ts'
import type { RejectsFile } from '../terminal/rejects-file.ts'

/** Where the definition says which columns a table has. */
const MEND = 'Say in the definition which columns are meant, or mend the table.'

/** How a load is shown. */
export interface FollowOptions {
  /** Called once there is something to load: where rejected records are listed. */
  readonly openRejects: () => RejectsFile
  /** How the list of rejected records is called. */
  readonly rejectsName?: string | undefined
  readonly onReject?: (rejection: Rejection) => void
  /** What to do where a table that no definition names has no ids. */
  readonly idWayOut?: (source: string) => string
  /** Said where the signal ends it. */
  readonly stopping?: string
}

/** What a load came to, and the lines that tell it. */
export interface Followed<Result> {
  readonly result: Result
  /** None where there was nothing to load. */
  readonly lines: readonly string[]
}

/** Follows a load to its end. @throws as the load does, with what to do about missing columns */
export async function followLoad<Result extends ImportResult | undefined>(
  events: AsyncGenerator<LoadEvent, Result>,
  io: Io,
  { openRejects, rejectsName, onReject, idWayOut = () => MEND, stopping }: FollowOptions,
): Promise<Followed<Result>> {
  let progress: ProgressDisplay | undefined
  const warnings = createWarningTally()
  const defined = new Set<string>()
  let rejects: RejectsFile | undefined
  const show = (event: LoadEvent) => {
    if (event.event === 'progress') progress?.show(event)
    else if (event.event === 'warned') event.warnings.forEach(warnings.note)
    else if (event.event === 'started') {
      rejects = openRejects()
      progress = createProgress(io)
      for (const { name, isDefined } of event.sources) if (isDefined) defined.add(name)
    } else
      for (const rejection of event.rejections) {
        rejects?.note(rejection)
        onReject?.(rejection)
      }
  }
  const stop = () => {
    progress?.end()
    if (stopping !== undefined) say(io, stopping)
  }
  io.signal.addEventListener('abort', stop)
  try {
    const result = await resultOf(events, show)
    rejects?.loaded()
    return { result, lines: result ? reportLines(result, warnings, rejectsName ?? rejects?.path) : [] }
  } catch (error) {
    if (!isColumnFault(error)) throw error
    const wayOut = defined.has(error.source) ? MEND : idWayOut(error.source)
    throw new SourceFault(`${error.message} ${wayOut}`, { cause: error })
  } finally {
    io.signal.removeEventListener('abort', stop)
    progress?.end()
    rejects?.close()
  }
}

/** By what it holds: from a thread it comes without its class. */
function isColumnFault(error: unknown): error is ColumnFault {
  return error instanceof Error && error.name === 'SourceFault' && 'missing' in error
}
