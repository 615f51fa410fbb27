/** Choosing what a chart draws. */
import { Select } from '../parts/select.tsx'
import type { Measure } from '../question/measures.ts'
import { unitText, words } from '../words/words.ts'

/** What a measure is called, with its unit. */
export function measureText({ field }: Measure): string {
  return field.unit === undefined ? field.label : `${field.label} (${unitText(field.unit)})`
}

/** A box to pick one of the properties that can stand on an axis. */
export function ChooseMeasure(props: {
  label: string
  measures: readonly Measure[]
  chosen: Measure
  onChoose: (key: string) => void
}) {
  const { label, measures, chosen, onChoose } = props
  return (
    <Select
      class="choose"
      label={label}
      choices={measures.map((measure) => [measure.key, measureText(measure)])}
      chosen={chosen.key}
      onChoose={onChoose}
    />
  )
}

/** Whether an axis counts in powers of ten. */
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

/** Whether the address says of an axis that it counts in powers of ten, or that it does not; undefined if it says nothing. */
export function logOf(log: string | undefined, axis: 'x' | 'y'): boolean | undefined {
  return log?.includes(axis) ?? undefined
}

/** What the address says of both axes once one is chosen. */
export function logText(axes: { readonly x: boolean; readonly y: boolean }): string {
  return `${axes.x ? 'x' : ''}${axes.y ? 'y' : ''}` || '-'
}
