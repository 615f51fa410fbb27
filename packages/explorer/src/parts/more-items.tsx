/** A button for the rest of a long list. */
import { counted, words } from '../words/words.ts'

/** Shows how many are `left`; nothing if none are. */
export function MoreItems({ left, onMore }: { left: number; onMore: () => void }) {
  return left <= 0 ? null : (
    <button type="button" class="link" onClick={onMore}>
      {words.value.entity.moreItems(counted(left))}
    </button>
  )
}
