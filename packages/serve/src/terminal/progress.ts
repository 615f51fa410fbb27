/** Shows the progress of an import as a bar on a terminal, or as periodic lines elsewhere. */
import type { ImportProgress } from '@worldwright/publish'
import { createLogUpdate } from 'log-update'
import { clockOf, type Io } from './io.ts'
import { count, say, styled } from './output.ts'

/** A progress display that is updated until `end` is called. */
export interface ProgressDisplay {
  show(progress: ImportProgress): void
  /** Ends the display and clears an incomplete line. */
  end(): void
}

/** Redraw interval of the bar, in milliseconds. */
const REDRAW_MS = 100

/** Interval between progress lines in a log, in milliseconds. */
const LINE_MS = 10_000

/** Reading time beyond which the final phase is reported even without a bar, in milliseconds. */
const LONG_MS = 1_000

const BAR_COLUMNS = 24

/** Creates a progress display on stderr. */
export function createProgress(io: Io): ProgressDisplay {
  const bar = io.stderr.isTTY === true
  const update = bar
    ? createLogUpdate(io.stderr as unknown as NodeJS.WriteStream, { showCursor: true })
    : undefined
  const clock = clockOf(io)
  const start = clock()
  let last = bar ? Number.NEGATIVE_INFINITY : start
  return {
    show(progress) {
      const now = clock()
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
 * Formats the progress of an import. Percentage and remaining time are based on bytes, because the total number of records is
 * unknown. Once all input has been read, returns the name of the final phase instead.
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
