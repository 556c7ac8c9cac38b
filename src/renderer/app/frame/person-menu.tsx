import { Menu, useMantineColorScheme } from '@mantine/core'
import type { MantineColorScheme } from '@mantine/core'
import { IconKey, IconKeyboard, IconLogout } from '@tabler/icons-react'
import { useLocation } from 'wouter'
import type { DeskPerson } from '../../../shared/contracts/desk-common.ts'
import { publisherName } from '../../../shared/publisher-name.ts'
import { Avatar } from '../../components/avatar.tsx'
import { initials } from '../../lib/format.ts'
import { useSignOut } from '../../features/session/session.api.ts'
import { keysSheetOpen } from './frame-actions.ts'
import classes from './person-menu.module.css'

const schemes = [
  { value: 'auto', label: 'System theme' },
  { value: 'light', label: 'Light theme' },
  { value: 'dark', label: 'Dark theme' },
] as const

/** The account menu: own tokens, keyboard shortcuts, theme, signing out. */
export function PersonMenu({ person }: { person: DeskPerson }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [, navigate] = useLocation()
  const signOut = useSignOut()
  const name = publisherName(person)
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <button
          type="button"
          className={classes['person']}
          aria-label={`${initials(name)}, ${name}: theme, tokens, sign out`}
        >
          <Avatar name={name} size={24} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {name}, {person.role}
        </Menu.Label>
        <Menu.Item leftSection={<IconKey size={16} stroke={1.75} />} onClick={() => navigate('/own')}>
          My releases and tokens
        </Menu.Item>
        <Menu.Item
          leftSection={<IconKeyboard size={16} stroke={1.75} />}
          onClick={() => keysSheetOpen.set(true)}
        >
          Keyboard shortcuts…
        </Menu.Item>
        <Menu.Divider />
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(value as MantineColorScheme)}
        >
          {schemes.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.75} />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
