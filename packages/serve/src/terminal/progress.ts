/** Progress of an import: a bar on a terminal, an occasional line elsewhere. */
import type { ImportProgress } from '@worldwright/publish'
import { createLogUpdate } from 'log-update'
import type { Io } from './io.ts'
import { count, say, styled } from './output.ts'

/** Shows progress until it is ended. */
export interface ProgressDisplay {
  show(progress: ImportProgress): void
  /** Ends the display, and leaves no half-drawn line behind. */
  end(): void
}

/** Interval of redrawing the bar, in milliseconds, so that it is seen moving. */
const REDRAW_MS = 100

/** Interval of progress lines, in milliseconds, so as not to fill a log. */
const LINE_MS = 10_000

/** Time of reading, in milliseconds, after which the final phase is reported even without a bar. */
const LONG_MS = 1_000

const BAR_COLUMNS = 24

/** Creates a display for this stderr. */
export function createProgress(io: Io): ProgressDisplay {
  const bar = io.stderr.isTTY === true
  const update = bar
    ? createLogUpdate(io.stderr as unknown as NodeJS.WriteStream, { showCursor: true })
    : undefined
  const start = performance.now()
  let last = bar ? Number.NEGATIVE_INFINITY : start
  return {
    show(progress) {
      const now = performance.now()
      const isPlacing = progress.phase === 'placing'
      const isDue = isPlacing ? bar || now - start >= LONG_MS : now - last >= (bar ? REDRAW_MS : LINE_MS)
      if (!isDue) return
      last = now
      const text = progressText(progress, (now - start) / 1_000)
      if (update) update(`${barOf(progress, io)}${text}`)
      else say(io, text)
    },
    end: () => update?.clear(),
  }
}

/**
 * Formats progress, rate and remaining time: by bytes, since the number of records is unknown. Once all is read, names the
 * final phase.
 */
function progressText(progress: ImportProgress, seconds: number): string {
  const { bytes, totalBytes, records, entities, phase } = progress
  if (phase === 'placing') return `putting ${count(entities, 'entity', 'entities')} in place…`
  const read = totalBytes ? `${Math.floor((100 * bytes) / totalBytes)} %` : `${(bytes / 1e6).toFixed(1)} MB`
  const rate = seconds > 0 ? Math.round(records / seconds) : 0
  const left = totalBytes && bytes > 0 ? (seconds * (totalBytes - bytes)) / bytes : undefined
  const remaining = left === undefined ? '' : `, ${duration(left)} left`
  return `${read}, ${records.toLocaleString('en')} records, ${rate.toLocaleString('en')}/s${remaining}`
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  const minutes = Math.floor(whole / 60)
  if (minutes === 0) return `${whole} s`
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

function barOf({ bytes, totalBytes }: ImportProgress, { stderr }: Io): string {
  if (!totalBytes) return ''
  const full = Math.round(Math.min(1, bytes / totalBytes) * BAR_COLUMNS)
  return `${styled(stderr, 'cyan', '█'.repeat(full))}${'░'.repeat(BAR_COLUMNS - full)} `
}
