// Refreshes the progress of background work in place, without reloading the page.

const SECONDS = 1;

setInterval(async () => {
  const response = await fetch(location.href).catch(() => null);
  // The service may answer next time.
  if (!response) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const news = page.querySelector("#busy");
  if (news) document.querySelector("#busy").replaceWith(document.adoptNode(news));
  else location.reload();
}, SECONDS * 1000);
