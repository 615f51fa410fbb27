/** Button that shows further items of a long list. */
import { counted, words } from '../words/words.ts'

/** Button that shows the number of items `left`. Renders nothing if no items are left. */
export function MoreItems({ left, onMore }: { left: number; onMore: () => void }) {
  return left <= 0 ? null : (
    <button type="button" class="link" onClick={onMore}>
      {words.value.entity.moreItems(counted(left))}
    </button>
  )
}
