import type { Icon } from '@tabler/icons-react'
import classes from './expectations.module.css'

/** A list of consequences, each with an icon. */
export function Expectations({
  title,
  items,
}: {
  title: string
  items: readonly { icon: Icon; title: string; text: string }[]
}) {
  return (
    <>
      <h2 className={classes['title']}>{title}</h2>
      <ul>
        {items.map(({ icon: ItemIcon, title: name, text }) => (
          <li key={name} className={classes['item']}>
            <ItemIcon size={16} stroke={1.75} aria-hidden />
            <div>
              <b>{name}</b>
              <p data-text="hint">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
