/** Every line of the server's log, except the sentences of errors and health checks. */
export const logTexts = {
  request: 'request',
  cutOff: 'cut off',
  refused: 'refused',
  requestedAction: 'requested by an administrator',

  listening: 'listening',
  listeningElsewhere: 'listening at a new address',
  stopped: 'stopped',
  listenerError: 'the listener reports an error',
  certificateReloaded: 'certificate reloaded',
  certificateInvalid: 'the new certificate is invalid; keeping the old one',
  publicAddressAnswers: 'the public address answers',
  publicAddressSilent: 'the public address does not answer',
  notStarted: 'the services failed to start',
  localNotRestarted: 'the local services could not be restarted',
  unhandledRejection: 'unhandled promise rejection',
  noSignInLink: 'could not create a sign-in link',

  lockLost:
    'the lock file was removed or replaced, so another server may be using the data folder; all writes are refused until this server is restarted',
  checkPasses: 'the check passes again',
  damagedValue: 'a stored value is damaged and was skipped; "skilldock verify" lists all of them',
  packagesSwept: 'removed unused package files',
  picturesSwept: 'removed unused image files',
  imagesRemoved: 'removed images that no project has used for a day',
  imagesNotRemoved: 'could not remove unused images; retrying in an hour',
  recordsRemoved: 'removed records of tokens, sessions and sign-in codes that ended long ago',
  recordsNotRemoved: 'could not remove records of ended tokens and sessions; retrying in an hour',

  issuerKeysNotFetched: 'fetching the keys of an issuer failed',
  downloadsNotWritten: 'writing the download counts failed',
  lastDownloadsNotWritten: 'writing the last download counts failed',
  rechecked: 'rechecked releases',
  notRechecked: 'rechecking releases failed',
  decisionFailed: 'carrying out a held decision failed',
  decisionsFailed: 'carrying out held decisions failed; they will be reported as lost at the next start',
  decisionsLeft: 'the previous server stopped before it had carried out its held decisions',

  markdownFailed: 'the Markdown worker has failed',
  notRendered: 'a text is shown without rendering',

  projectNotRecorded: 'could not record the chosen agent project',
  projectNotChecked: 'the agent project could not be checked',
  projectUnreadable: 'the agent project cannot be read',
  projectReadable: 'the agent project can be read again',
  temporaryFolderKept: 'a temporary folder could not be removed',
} as const
