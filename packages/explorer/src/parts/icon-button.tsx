/** Button that shows an icon instead of text. */
import type { ButtonHTMLAttributes } from 'preact'

/** Icon button. `label` is its accessible name. */
export function IconButton({
  label,
  class: name = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { label: string; class?: string }) {
  return <button type="button" class={`button icon-only ${name}`} aria-label={label} {...rest} />
}
