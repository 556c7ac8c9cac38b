import { Link } from 'wouter'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { Region } from '../../../components/feedback/region.tsx'
import type { DeskSetting } from '../../../../shared/contracts/desk-settings.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { DockFrame, DockLine } from '../../../components/decision/dock-frame.tsx'
import { cancelKeys, confirmKeys, useActions } from '../../../lib/keys/actions.ts'
import type { SettingGroup } from '../setting-fields.ts'
import { useGroupDraft } from '../use-group-draft.ts'
import { MailDeliveries } from './mail-deliveries.tsx'
import { SettingRow } from './setting-row.tsx'
import { texts } from '../settings.texts.ts'
import classes from './setting-group-form.module.css'

const { form } = texts

/** The settings of one group, which are saved together. */
export function SettingGroupForm({ group, items }: { group: SettingGroup; items: readonly DeskSetting[] }) {
  const members = group.keys.flatMap((key) => items.filter((setting) => setting.key === key))
  const draft = useGroupDraft(members)
  useActions([
    { ...confirmKeys, id: 'save-settings', label: form.actions.save, run: draft.save },
    { ...cancelKeys, id: 'discard-settings', label: form.actions.discard, run: draft.discard },
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
            <Link href="/reasons">{form.templates}</Link>
            <span data-ink="calm">{form.templatesHint}</span>
          </p>
        )}
        {group.id === 'notifications' && <MailDeliveries />}
        {draft.others.map((issue) => (
          <p key={issue} className={classes['other']} role="alert">
            {issue}
          </p>
        ))}
        {draft.error !== null && <Failure error={draft.error} what={form.saveFailed} />}
      </Region>
      <DockFrame open={false} label={form.save}>
        <DockLine effect={<p>{draft.dirty ? form.unsaved(draft.effect) : form.noChanges}</p>}>
          <ActionButton disabled={!draft.dirty} onClick={draft.discard} keys="Escape">
            {form.discard}
          </ActionButton>
          <ActionButton
            type="submit"
            variant="filled"
            disabled={!draft.dirty}
            loading={draft.saving}
            keys="mod+Enter"
          >
            {form.save}
          </ActionButton>
        </DockLine>
      </DockFrame>
    </form>
  )
}
