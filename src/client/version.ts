import manifest from '../../package.json' with { type: 'json' }

export const clientVersion: string = manifest.version
