/** Table of the groups of a list, below the numbers of the whole list. */

import { isNumber } from '@worldwright/extensions/shown'
import type { ComponentChildren } from 'preact'
import type { ChartProps } from '../charts/chart-props.ts'
import { To } from '../parts/link.tsx'
import { directionOf, SortHeader } from '../parts/sort-header.tsx'
import { ShortText } from '../parts/text.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import type { Group } from '../question/question.ts'
import { askedOf } from '../question/summary.ts'
import { unitText, words } from '../words/words.ts'
import { GroupName } from './group-name.tsx'
import { amountText } from './group-text.ts'
import { amountsOf, drawnOf, type Summarized, seriesOf } from './use-summary.ts'

/** The table. Its numbers link to the entities of their group, and one column is drawn as bars. Headers change the order. */
export function SummaryTable(props: {
  summary: Summarized
  label: string
  list: Pick<ChartProps, 'type' | 'asked'>
  onOrder: (order: string) => void
}) {
  const { summary, label, list, onOrder } = props
  const { by, columns, grouped, whole } = summary
  const { world } = useOpenWorld()
  const { views } = words.value
  const drawn = drawnOf(summary)
  const colors = new Map(seriesOf(summary).flatMap(({ groups, color }) => groups.map((one) => [one, color])))
  const most = Math.max(...grouped.groups.map((group) => Number(amountsOf(group)[drawn])), 0)
  const row = (group: Group, heads: ComponentChildren) => {
    const asked = askedOf(group, list.asked, by)
    return (
      <tr key={JSON.stringify(group.key)}>
        {heads}
        {[undefined, ...columns].map((column, index) => {
          const value = amountsOf(group)[index] ?? null
          const isDrawn = index === drawn && group.key.length > 0
          const text = (
            <>
              {amountText(value, column)}
              {index === 0 && <span class="hidden"> {views.narrow}</span>}
            </>
          )
          return (
            <td
              key={index}
              class={isDrawn ? 'right drawn' : 'right'}
              title={column && isNumber(value) ? String(value) : undefined}
            >
              {isDrawn && (
                <i
                  style={{ '--part': Math.max(0, Number(value) / most || 0), '--series': colors.get(group) }}
                />
              )}
              {asked === undefined || value === null ? (
                text
              ) : (
                // The keyboard reaches only the first link of a row, as the others lead there too.
                <To
                  route={{ page: 'list', origin: world.origin, type: list.type, asked }}
                  isRepeated={index > 0}
                >
                  {text}
                </To>
              )}
            </td>
          )
        })}
      </tr>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section class="scroller" tabIndex={0} aria-label={label}>
      <table>
        <Heads summary={summary} onOrder={onOrder} />
        <tbody class="whole">
          {row(
            { key: [], count: whole.total ?? 0, measures: whole.groups[0]?.measures ?? [] },
            <th scope="row" colSpan={by.length}>
              {views.all}
            </th>,
          )}
        </tbody>
        <tbody>
          {grouped.groups.map((group) =>
            row(
              group,
              by.map((one, index) => {
                const Head = index === 0 ? 'th' : 'td'
                return (
                  <Head key={index} scope={index === 0 ? 'row' : undefined}>
                    <GroupName value={group.key[index] ?? null} by={one} />
                  </Head>
                )
              }),
            ),
          )}
        </tbody>
      </table>
    </section>
  )
}

function Heads({ summary, onOrder }: { summary: Summarized; onOrder: (order: string) => void }) {
  const { by, columns, order } = summary
  const { views } = words.value
  const header = (name: string, isNumber: boolean, children: ComponentChildren) => (
    <SortHeader
      key={name}
      class={isNumber ? 'right' : undefined}
      direction={directionOf(order, name)}
      onPress={() => onOrder(orderPressed(name, order, isNumber))}
    >
      {children}
    </SortHeader>
  )
  const [first, second] = by.map(({ askable }) => <ShortText text={askable.field.label} most={60} />)
  return (
    <thead>
      <tr>
        {header('key', false, first)}
        {second !== undefined && <th scope="col">{second}</th>}
        {header('count', true, views.number)}
        {columns.map(({ askable: { field }, op, text }) =>
          header(
            text,
            true,
            <>
              <ShortText text={field.label} most={60} />
              <span class="unit">
                {views.ops[op]}
                {field.unit !== undefined && op !== 'distinct' && `, ${unitText(field.unit)}`}
              </span>
            </>,
          ),
        )}
      </tr>
    </thead>
  )
}

/** Returns the order after a press on a header: numbers begin with the greatest, keys with the least. */
function orderPressed(name: string, order: string, isNumber: boolean): string {
  if (order === name) return `-${name}`
  return order === `-${name}` || !isNumber ? name : `-${name}`
}
