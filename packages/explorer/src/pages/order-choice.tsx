/** Menu of sort orders, for layouts without headers and for properties without a column. */
import { Select } from '../parts/select.tsx'
import { plainText } from '../text/visible.ts'
import { words } from '../words/words.ts'
import type { Order } from './list-order.ts'

/** Menu of the available sort orders. Titles and properties are offered in both directions. */
export function OrderChoice({ order }: { order: Order }) {
  const { ask, entity } = words.value
  const { sort, isNearest, fields, onOrder } = order
  const sorted = fields.flatMap(({ key, label }) => {
    const name = plainText(label).slice(0, MOST_LABEL)
    return [[key, `${name} ↑`] as const, [`-${key}`, `${name} ↓`] as const]
  })
  return (
    <Select
      class="order"
      label={ask.order}
      chosen={isNearest ? NEAREST : sort}
      choices={[
        ...(isNearest ? [[NEAREST, ask.nearest] as const] : []),
        ['', ask.byId],
        ['-createdAt', ask.newest(entity.created)],
        ['-updatedAt', ask.newest(entity.updated)],
        ...sorted,
      ]}
      onChoose={onOrder}
    />
  )
}

const MOST_LABEL = 60
/** Value of the "nearest first" choice. Cannot collide with a sort key, since no property has an empty name. */
const NEAREST = '-'
