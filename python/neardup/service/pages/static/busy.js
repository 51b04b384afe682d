// Refreshes the progress of background work in place, and reloads the page when the work is done.

const SECONDS = 1;

for (;;) {
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
  const response = await fetch(location.href).catch(() => null);
  // The service may answer next time.
  if (!response) continue;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const news = page.querySelector("#busy");
  // A reload is asked for once: another one would begin it again.
  if (!news) break;
  document.querySelector("#busy").replaceWith(document.adoptNode(news));
}
location.reload();
