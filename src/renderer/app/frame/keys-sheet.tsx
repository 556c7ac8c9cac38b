import { Checkbox, Modal, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Keycap } from '../../components/form/keycap.tsx'
import {
  actionGroups,
  actionGroupTitles,
  setSingleLetters,
  singleLetters,
  useAllActions,
} from '../../lib/keys/actions.ts'
import { upperFirst } from '../../lib/format.ts'
import { useStore } from '../../lib/state/store.ts'
import { keysSheetOpen } from './frame-actions.ts'
import classes from './keys-sheet.module.css'

/** The keyboard shortcuts of this screen. */
export function KeysSheet() {
  const opened = useStore(keysSheetOpen)
  const letters = useStore(singleLetters)
  const [filter, setFilter] = useState('')
  const search = filter.trim().toLowerCase()
  const actions = useAllActions().filter(
    ({ keys = [], label }) => keys.length > 0 && label.toLowerCase().includes(search),
  )
  const groups = actionGroups
    .map((group) => ({ group, actions: actions.filter((action) => action.group === group) }))
    .filter((one) => one.actions.length > 0)
  return (
    <Modal.Root
      opened={opened}
      onClose={() => keysSheetOpen.set(false)}
      size={960}
      radius="xl"
      shadow="lg"
      lockScroll={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content className={classes['sheet'] ?? ''}>
        <div className={classes['head']}>
          <div className={classes['controls']}>
            <Modal.Title>Keyboard shortcuts</Modal.Title>
            <TextInput
              data-autofocus
              size="sm"
              aria-label="Filter shortcuts"
              placeholder="Filter shortcuts"
              leftSection={<IconSearch size={14} stroke={1.75} />}
              value={filter}
              onChange={(event) => setFilter(event.currentTarget.value)}
            />
            <Checkbox
              label="Single-key shortcuts (disabled while typing)"
              checked={letters}
              onChange={(event) => setSingleLetters(event.currentTarget.checked)}
            />
          </div>
          <Modal.CloseButton aria-label="Close" />
        </div>
        <div className={classes['groups']}>
          {groups.map(({ group, actions: members }) => (
            <section key={group} aria-label={actionGroupTitles[group]}>
              <h3>{actionGroupTitles[group]}</h3>
              <dl>
                {members.map((action) => (
                  <div key={action.id}>
                    <dt>
                      {action.keys?.map((keys) => (
                        <Keycap key={keys} keys={keys} />
                      ))}
                    </dt>
                    <dd>{upperFirst(action.label)}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}
