/** Virtualized table of entities. Its columns and units come from the schema of the type. */
import type { Entity } from '@worldwright/client'
import { type Field, isNumber, member, referenceIn, typesOf } from '@worldwright/extensions/shown'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { nameOf } from '../data/entity-name.ts'
import { CompareButton } from '../desk/parts.tsx'
import { Cell } from '../parts/cell.tsx'
import { EntityLink } from '../parts/entity-link.tsx'
import { directionOf, SortHeader } from '../parts/sort-header.tsx'
import { type SortColumn, sortColumnOf } from '../parts/sort-value.tsx'
import { ShortText } from '../parts/text.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { digits, unitText, words } from '../words/words.ts'
import type { RowsProps } from './entity-rows.tsx'
import { type Order, sortPressed, TITLE } from './list-order.ts'
import { SAMPLE } from './use-list-shape.ts'
import { useWalkRows } from './use-walk-rows.ts'

/** Row height, in pixels. Each row is a single line, so that rows and columns do not move while the user scrolls. */
const ROW_HEIGHT = 38

/** Table of the entities loaded by `walk`. Calls `onRow` with the index of the first visible row. */
export function EntityTable(
  props: RowsProps & {
    columns: readonly Field[]
    /** Undefined if the world cannot sort. */
    order: Order | undefined
  },
) {
  const { walk, columns, label, onRow, order, asked } = props
  const { entities, total } = walk.walked
  const { box, items, above, below } = useWalkRows(walk, ROW_HEIGHT, onRow)
  const sorted = sortColumnOf(asked, useOpenWorld().profile)
  const widths = useMemo(() => widthsOf(columns, entities.slice(0, SAMPLE)), [columns])

  // Keep the column by which the list is sorted in view.
  useEffect(() => {
    box.current?.querySelector('th[aria-sort]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [order?.sort])

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section class="scroller" ref={box} tabIndex={0} aria-label={label}>
      <table style={{ width: 0 }} aria-rowcount={(total ?? entities.length) + 1}>
        <colgroup>
          <col style={{ width: widths[0] }} />
          {sorted !== undefined && <col style={{ width: '14ch' }} />}
          {columns.map((field, index) => (
            <col key={field.name} style={{ width: widths[index + 1] }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <Header name={TITLE} order={order} class={undefined}>
              {words.value.list.title}
            </Header>
            {sorted !== undefined && (
              <th scope="col" class="right" aria-sort={sorted.direction}>
                {sorted.label}
                {sorted.unit !== undefined && <span class="unit"> {sorted.unit}</span>}
              </th>
            )}
            {columns.map((field) => (
              <Header
                key={field.name}
                name={field.name}
                order={order}
                class={isNumeric(field) ? 'right' : undefined}
              >
                <ShortText text={field.label} most={60} />
                {field.unit !== undefined && (
                  <span class="unit">
                    {' '}
                    <ShortText text={unitText(field.unit)} most={20} />
                  </span>
                )}
              </Header>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={above} />
          {items.map(({ index }) => {
            const entity = entities[index]
            return (
              entity && (
                <Row key={index} entity={entity} columns={columns} number={index + 2} sorted={sorted} />
              )
            )
          })}
          <Spacer height={below} />
        </tbody>
      </table>
    </section>
  )
}

/** Column header, which is a button if the world can sort by the column. */
function Header(props: {
  name: string
  order: Order | undefined
  class: string | undefined
  children: ComponentChildren
}) {
  const { name, order, children } = props
  const canSort = order?.fields.some(({ key }) => key === name)
  return (
    <SortHeader
      class={props.class}
      direction={directionOf(order?.sort, name)}
      onPress={order && canSort ? () => order.onOrder(sortPressed(name, order)) : undefined}
    >
      {children}
    </SortHeader>
  )
}

/** Placeholder for the rows that are not rendered. */
function Spacer({ height }: { height: number }) {
  return height > 0 ? (
    <tr class="spacer">
      <td style={{ height: `${height}px` }} />
    </tr>
  ) : null
}

function Row(props: {
  entity: Entity
  columns: readonly Field[]
  number: number
  sorted: SortColumn | undefined
}) {
  const { entity, columns, number, sorted } = props
  return (
    <tr aria-rowindex={number}>
      <th scope="row">
        <EntityLink entity={entity} most={100} />
        <CompareButton entity={entity} />
      </th>
      {sorted !== undefined && <td class="right sort-value">{sorted.textOf(entity)}</td>}
      {columns.map((field) => (
        <td key={field.name} class={isNumeric(field) ? 'right' : undefined}>
          <Cell value={member(entity.attributes, field.name)} field={field} />
        </td>
      ))}
    </tr>
  )
}

function isNumeric({ schema, unit }: Field): boolean {
  return unit !== undefined || typesOf(schema).some((type) => type === 'number' || type === 'integer')
}

/** Returns the widths of the title and of the columns, by the lengths of their values and of the words of their labels. */
function widthsOf(columns: readonly Field[], sample: readonly Entity[]): string[] {
  const widthOf = (texts: readonly string[], least: number, most: number) =>
    `${Math.min(most, Math.max(least, ...texts.map(({ length }) => length))) + 3}ch`
  return [
    widthOf(
      sample.map((entity) => `${nameOf(entity)} ⇄⇄`),
      14,
      34,
    ),
    ...columns.map(({ name, label, isGrouped, format, idsOf }) => {
      const texts = sample.map(({ attributes }) => {
        const value = member(attributes, name) ?? ''
        if (isNumber(value)) return digits(value, isGrouped)
        const text = String(referenceIn(value)?.id ?? value)
        return format === 'picture' ? '' : text.slice(0, idsOf === undefined ? 25 : 13)
      })
      return widthOf([...label.split(' '), ...texts], 7, 25)
    }),
  ]
}
