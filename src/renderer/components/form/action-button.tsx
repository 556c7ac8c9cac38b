import { Button } from '@mantine/core'
import type { ButtonProps } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'
import { Keycap } from './keycap.tsx'

interface Props extends ButtonProps, Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> {
  icon?: Icon
  /** Its shortcut. Screen readers find it in the list of shortcuts. */
  keys?: string | undefined
}

/** A button with an icon before its label and its shortcut after it. */
export function ActionButton({ icon: ButtonIcon, keys, ...button }: Props) {
  return (
    <Button
      leftSection={ButtonIcon && <ButtonIcon size={16} stroke={1.75} />}
      rightSection={keys !== undefined && <Keycap keys={keys} quiet />}
      {...button}
    />
  )
}
