/** Controls that choose what a chart draws. */
import { Select } from '../parts/select.tsx'
import type { Measure } from '../question/measures.ts'
import { unitText, words } from '../words/words.ts'

/** Returns the name of a measure, with its unit. */
export function measureText({ field }: Measure): string {
  return field.unit === undefined ? field.label : `${field.label} (${unitText(field.unit)})`
}

/** A box to select one of the properties that can be an axis. */
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

/** A check box for a logarithmic axis. */
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

/** Reports whether the address makes an axis logarithmic, or linear; undefined if it does not say. */
export function logOf(log: string | undefined, axis: 'x' | 'y'): boolean | undefined {
  return log?.includes(axis) ?? undefined
}

/** Returns the setting of both axes as the address spells it. */
export function logText(axes: { readonly x: boolean; readonly y: boolean }): string {
  return `${axes.x ? 'x' : ''}${axes.y ? 'y' : ''}` || '-'
}
