import { Select } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDebounced } from '../../../lib/time/use-debounced.ts'
import { firstAgentsQuery } from '../agents.api.ts'
import { offered, pickerProps } from '../../../components/list/filter-bar.tsx'

/** How many agents are offered; typing a part of a name finds others. */
const most = 20

/** One agent out of any number, or all of them. */
export function AgentPicker({
  value,
  onAgent,
}: {
  value: string | null
  onAgent: (agent: string | null) => void
}) {
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState(value ?? '')
  const q = useDebounced(typed === value ? '' : typed.trim().slice(0, 100), 150)
  const found = useQuery({ ...firstAgentsQuery({ q }), enabled: open })
  const names = (found.data?.items ?? []).slice(0, most).map(({ name }) => name)
  return (
    <Select
      {...pickerProps}
      w={176}
      aria-label="Agent"
      placeholder="All agents"
      leftSection={<IconRobot size={14} stroke={1.75} />}
      clearButtonProps={{ 'aria-label': 'All agents' }}
      checkIconPosition="right"
      nothingFoundMessage={found.data === undefined ? 'Reading the agents…' : 'No agent has this in its name'}
      // Those that the server found.
      data={offered(names, value)}
      filter={({ options }) => options}
      value={value}
      onChange={onAgent}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
    />
  )
}
