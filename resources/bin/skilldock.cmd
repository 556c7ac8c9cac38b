@rem The command line of the installed app, without a window.
@"%~dp0..\..\Skilldock.exe" --disable-gpu --no-sandbox --cli -- %*
