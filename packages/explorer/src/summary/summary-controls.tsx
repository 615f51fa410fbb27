/** Controls of a summary: its keys, their bins, and its columns. */
import { measureText } from '../charts/choose.tsx'
import { Select } from '../parts/select.tsx'
import type { Askable } from '../question/askable.ts'
import { type By, binsOf, type Column, type Op, opsOf, textOfBy } from '../question/summary.ts'
import { plainText } from '../text/visible.ts'
import { words } from '../words/words.ts'
import { binName } from './group-text.ts'

/** Maximum number of columns with measures. Worlds answer eight. */
const MOST_COLUMNS = 8
/** Value of the choice of nothing. It cannot be a key, as no property has an empty name. */
const NONE = ''

/** Calls `onBy` and `onColumns` with keys and measures in the form of addresses. */
export function SummaryControls(props: {
  askables: readonly Askable[]
  by: readonly By[]
  columns: readonly Column[]
  onBy: (by: readonly string[]) => void
  onColumns: (columns: readonly string[]) => void
}) {
  const { askables, by, columns, onBy, onColumns } = props
  const { views } = words.value
  const texts = by.map(textOfBy)
  const names = askables.map((one) => [one.key, plainText(measureText(one)).slice(0, 80)] as const)
  const taken = columns.map(({ text }) => text)
  const replaced = (list: readonly string[], index: number, text: string) =>
    [...list.slice(0, index), text, ...list.slice(index + 1)].filter((one) => one !== NONE)
  return (
    <div class="chart-controls">
      {[by[0], by[1]].map((one, index) => (
        <span key={index} class="row">
          <Select
            label={index === 0 ? views.groupBy : views.thenBy}
            choices={[
              ...(index === 0 ? [] : [[NONE, '–'] as const]),
              ...names.filter(([key]) => key !== by[1 - index]?.askable.key),
            ]}
            chosen={one?.askable.key ?? NONE}
            onChoose={(key) => onBy(replaced(texts, index, key))}
          />
          {one !== undefined && binsOf(one).length > 1 && (
            <Select
              label={views.bins}
              choices={binsOf(one).map((bin) => [bin, binName(one, bin)])}
              chosen={one.bin}
              onChoose={(bin) => onBy(replaced(texts, index, textOfBy({ ...one, bin })))}
            />
          )}
        </span>
      ))}
      {columns.map(({ askable, op, text }, index) => (
        <Select
          key={text}
          label={plainText(askable.field.label)}
          choices={[
            ...opsOf(askable)
              .filter((one) => one === op || !taken.includes(`${one}:${askable.key}`))
              .map((one: Op | '') => [one, views.ops[one as Op]] as const),
            [NONE, views.drop],
          ]}
          chosen={op}
          onChoose={(one) => onColumns(replaced(taken, index, one === NONE ? NONE : `${one}:${askable.key}`))}
        />
      ))}
      {columns.length < MOST_COLUMNS && (
        <Select
          label={views.addColumn}
          choices={[[NONE, '–'], ...names]}
          chosen={NONE}
          onChoose={(key) => {
            const askable = askables.find((one) => one.key === key)
            const op = askable && opsOf(askable).find((one) => !taken.includes(`${one}:${key}`))
            if (op !== undefined) onColumns([...taken, `${op}:${key}`])
          }}
        />
      )}
    </div>
  )
}
