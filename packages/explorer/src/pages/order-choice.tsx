/** The order of a list, for layouts without headers to press, and for what has no column. */
import { useId } from 'preact/hooks'
import { plainText } from '../text/visible.ts'
import { words } from '../words/words.ts'
import type { Order } from './list-order.ts'

/** A menu of the orders that the world has, upwards and downwards. */
export function OrderChoice({ order }: { order: Order }) {
  const { ask, entity, list } = words.value
  const id = useId()
  const { sort, isNearest, fields, onOrder } = order
  const labelled = [['title', list.title] as const, ...fields.map(({ key, label }) => [key, label] as const)]
  return (
    <div class="order" data-asks="">
      <label for={id}>{ask.order}</label>
      <select
        id={id}
        class="field small"
        value={isNearest ? NEAREST : sort}
        onChange={(event) => onOrder(event.currentTarget.value)}
      >
        {isNearest && <option value={NEAREST}>{ask.nearest}</option>}
        <option value="">{ask.byId}</option>
        <option value="-createdAt">{ask.newest(entity.created)}</option>
        <option value="-updatedAt">{ask.newest(entity.updated)}</option>
        {labelled.flatMap(([key, label]) => {
          const name = plainText(label).slice(0, MOST_LABEL)
          return [
            <option key={key} value={key}>
              {ask.upwards(name)}
            </option>,
            <option key={`-${key}`} value={`-${key}`}>
              {ask.downwards(name)}
            </option>,
          ]
        })}
      </select>
    </div>
  )
}

/** Characters of a label. */
const MOST_LABEL = 60
/** No property is called so: an order has no empty name. */
const NEAREST = '-'
