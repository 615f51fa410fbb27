/** Controls for choosing the measures and scales of a chart. */
import type { Measure } from '../question/measures.ts'
import { unitText, words } from '../words/words.ts'

/** Returns the label of a property with its unit, such as `Radius (km)`. */
export function measureText({ field: { label, unit } }: Pick<Measure, 'field'>): string {
  return unit === undefined ? label : `${label} (${unitText(unit)})`
}

/** Returns the choices of a select box for the properties that can be used as an axis. */
export function choicesOf(measures: readonly Measure[]) {
  return measures.map((measure) => [measure.key, measureText(measure)] as const)
}

/** A check box that makes an axis logarithmic. */
export function ChooseLog(props: { label: string; isLog: boolean; onLog: (isLog: boolean) => void }) {
  return (
    <label class="choose">
      <input
        type="checkbox"
        data-asks=""
        checked={props.isLog}
        onChange={(event) => props.onLog(event.currentTarget.checked)}
      />
      {words.value.views.powersOfTen(props.label)}
    </label>
  )
}

/** Reports whether `log` makes an axis logarithmic. Returns undefined if `log` specifies no scale. */
export function logOf(log: string | undefined, axis: 'x' | 'y'): boolean | undefined {
  return log?.includes(axis) ?? undefined
}

/** Formats the scales of both axes for the address: the logarithmic axes, or `-` if neither is logarithmic. */
export function logText(axes: { readonly x: boolean; readonly y: boolean }): string {
  return `${axes.x ? 'x' : ''}${axes.y ? 'y' : ''}` || '-'
}
