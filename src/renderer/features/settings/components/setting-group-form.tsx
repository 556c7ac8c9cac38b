import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { Region } from '../../../components/feedback/region.tsx'
import type { DeskSetting } from '../../../../shared/contracts/desk-settings.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Keycap } from '../../../components/form/keycap.tsx'
import { ToastArea } from '../../../components/feedback/toast-area.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import type { SettingGroup } from '../setting-fields.ts'
import { useGroupDraft } from '../use-group-draft.ts'
import { SettingRow } from './setting-row.tsx'
import classes from './setting-group-form.module.css'

/** The fields of a group with the one button that saves them. */
export function SettingGroupForm({ group, items }: { group: SettingGroup; items: readonly DeskSetting[] }) {
  const members = group.keys.flatMap((key) => items.filter((setting) => setting.key === key))
  const draft = useGroupDraft(members)
  useActions([
    {
      id: 'save-settings',
      label: 'save the settings',
      group: 'Decide',
      keys: ['mod+Enter'],
      inFields: true,
      run: draft.save,
    },
    {
      id: 'take-settings-back',
      label: 'take the changes back',
      group: 'Decide',
      keys: ['Escape'],
      inFields: true,
      run: draft.takeBack,
    },
  ])
  return (
    <form
      className={classes['form']}
      aria-labelledby="settings-group"
      onSubmit={(event) => {
        event.preventDefault()
        draft.save()
      }}
    >
      <Region name="sheet" className={classes['body']}>
        <h2 id="settings-group">{group.title}</h2>
        <p className={classes['lead']}>{group.lead}</p>
        {members.map((setting) => (
          <SettingRow
            key={setting.key}
            setting={setting}
            draft={draft.drafts[setting.key]}
            issue={draft.issueOf(setting.key)}
            onWrite={(text) => draft.write(setting.key, text)}
          />
        ))}
        {group.id === 'desk' && (
          <p className={classes['more']}>
            <Link href="/reasons">Reasons to start notes from</Link>
            <span> are a list that every desk shares.</span>
          </p>
        )}
        {draft.others.map((words) => (
          <p key={words} className={classes['other']} role="alert">
            {words}
          </p>
        ))}
        {draft.error !== null && <Failure error={draft.error} what="The settings were not saved" />}
      </Region>
      <Region name="dock" as="footer" className={classes['foot']}>
        <ToastArea />
        <p>{draft.dirty ? `Not saved yet. ${draft.effect}` : 'Nothing has been changed.'}</p>
        <Button
          disabled={!draft.dirty}
          onClick={draft.takeBack}
          rightSection={<Keycap keys="Escape" quiet />}
        >
          Take back
        </Button>
        <Button
          type="submit"
          variant="filled"
          disabled={!draft.dirty}
          loading={draft.saving}
          rightSection={<Keycap keys="mod+Enter" quiet />}
        >
          Save
        </Button>
      </Region>
    </form>
  )
}
