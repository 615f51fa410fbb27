/** Showing the events of a load: progress while it runs, and its result in the end. */
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

/** What to do about a table that the definition names. */
const FIX_TABLE = 'Say in the definition which columns are meant, or mend the table.'

/** How the events of a load are shown. */
export interface FollowOptions {
  /** Opens the list of rejected records; called once there is something to load. */
  readonly openRejects: () => RejectsFile
  /** The name of that list in messages; by default its path. */
  readonly rejectsName?: string | undefined
  readonly onReject?: (rejection: Rejection) => void
  /** What to do about a table without ids that no definition names. */
  readonly idAdvice?: (source: string) => string
  /** Printed when the signal ends the load. */
  readonly stopping?: string
}

/** The result of a load, and the lines that report it. */
export interface Followed<Result> {
  readonly result: Result
  /** Empty where there was nothing to load. */
  readonly lines: readonly string[]
}

/** Follows a load to its end. @throws as the load does; where columns are missing, with what to do about it */
export async function followLoad<Result extends ImportResult | undefined>(
  events: AsyncGenerator<LoadEvent, Result>,
  io: Io,
  { openRejects, rejectsName, onReject, idAdvice = () => FIX_TABLE, stopping }: FollowOptions,
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
    const advice = defined.has(error.source) ? FIX_TABLE : idAdvice(error.source)
    throw new SourceFault(`${error.message} ${advice}`, { cause: error })
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
