// Entry point of the process that reads the chosen agent project. Nothing else in this program opens its database.
import { useTemporaryFolder } from '../db/temporary-folder.ts'
import { openChannels } from '../processes/helper-channel.ts'
import type { Channel } from '../processes/helper-channel.ts'
import { limitMemory } from '../processes/limit-memory.ts'
import { allQueries } from './all-queries.ts'
import { setMirrorPath } from './mirror/mirror.ts'
import { createProjectReader } from './project-reader.ts'
import type { ProjectReader } from './project-reader.ts'
import { createProjectWatch } from './project-watch.ts'
import type { FromReader, ToReader } from './reader-messages.ts'

/** A project with 10,000 agents and a million audit rows needs a third of this. */
const maxBytes = 1024 * 1024 * 1024

limitMemory(maxBytes)
openChannels((channel: Channel) => {
  const send = (message: FromReader): Promise<void> => channel.send(message)
  let reader: ProjectReader | undefined

  channel.onMessage((data) => {
    const message = data as ToReader | null
    // The app's main process passes the port along with an empty message.
    if (message === null) return
    if (message.type === 'project') {
      useTemporaryFolder(message.scratch)
      setMirrorPath(message.mirror)
      const watch = createProjectWatch(message.folder, message.avoid, send)
      reader = createProjectReader({ queries: allQueries, watch, send })
    } else if (message.type === 'read') void reader?.read(message)
    else reader?.cancel(message.id)
  })
  void send({ ready: true })
})
