/** Says quietly that something has happened since a page was read. Pressed, it reads the page again. */

/** The button; nothing where `label` is empty. Screen readers hear of it when they have finished a sentence. */
export function NewsButton({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <span role="status" class="news">
      {label !== '' && (
        <button type="button" class="chip" onClick={onPress}>
          {label}
        </button>
      )}
    </span>
  )
}
